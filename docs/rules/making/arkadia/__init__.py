"""The page of Arkadia: tables, numbers and pictures from the packaged board and the engine's notation."""

from making.arkadia.pictures import PICTURES
from making.arkadia.tables import NUMBERS, TABLES

__all__ = ["NUMBERS", "PICTURES", "TABLES"]
