"""What a capture that is followed looks like in the dock and in the status line."""
