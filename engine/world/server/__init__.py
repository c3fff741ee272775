"""Server data: what a server's world database says about a world. Instances, weenies, links and encounters come from
SQL files or an SQLite database (`sources`), and become entities (`engine.world.server.entities`).
"""
