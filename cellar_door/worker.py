"""What a process that does part of the work imports first: with the package comes the way to the other packages."""
