"""The words for contacts, which the engine has for its own answers."""

from engine.sim.contact_wording import contact_text, contacts_text, thing_name, way_text

__all__ = ["contact_text", "contacts_text", "thing_name", "way_text"]
