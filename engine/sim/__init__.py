"""The tick, recording, replay, and the replays of scenes and captures."""
