"""The version of the library that the declarations in _library.py are those of."""
VERSION = "0.1.0"
