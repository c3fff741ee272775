"""What checks and searches report: the form of a finding, the table of checks, and baselines of known findings."""
