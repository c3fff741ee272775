"""The model of the Timeline dock: columns with one value per tick, events, and the curves that the user added."""
