"""Figures of the engine, measured on this machine beside a calibration of the machine itself."""
