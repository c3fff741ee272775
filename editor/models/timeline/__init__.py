"""The model of the Timeline dock: what every tick was like, what happened in it, and what of that is plotted."""
