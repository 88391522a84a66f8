"""Settings: the defaults, overlaid by the operator's own file."""

import copy
import tomllib

from haul._defaults import DEFAULTS


class ConfigError(Exception):
    """A settings file that cannot be used."""


def load(path: str | None = None) -> dict[str, dict]:
    """All settings by section; raises ConfigError for a name that does not exist."""
    settings = copy.deepcopy(DEFAULTS)
    if path is None:
        return settings
    with open(path, "rb") as file:
        own = tomllib.load(file)
    for section, values in own.items():
        if section not in settings:
            raise ConfigError(f"there is no section [{section}]")
        for name, value in values.items():
            if name not in settings[section]:
                raise ConfigError(f"[{section}] has no setting {name}")
            settings[section][name] = value
    return settings
