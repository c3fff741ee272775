"""One open document and the command line. QtCore and QtGui at most, no widgets."""
