"""A player who has played before, as most tests need."""

from types import MappingProxyType

from server.session.account import FAMILIAR, PLAYED, Account


class Regular(Account):
    """An account that keeps nothing, of somebody who is not told what newcomers are."""

    settings = MappingProxyType({PLAYED: FAMILIAR})
