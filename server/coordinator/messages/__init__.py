"""Everything that passes between a session and the coordinator: plain, serialisable data.

A frontend talks to the coordinator only through ``Visit.submit(command)`` and ``Visit.feed``. Names and
texts in here have been sanitised at the edge where they entered. Times are seconds on the injected
clock (``Clock.time``).
"""

from server.coordinator.messages.commands import *
from server.coordinator.messages.tables import *
from server.coordinator.messages.tournaments import *
from server.coordinator.messages.updates import *
