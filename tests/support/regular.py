"""Who most tests are about: somebody who has played before."""

from types import MappingProxyType

from server.session.account_protocol import FAMILIAR, PLAYED, Account


class Regular(Account):
    """An account that keeps nothing, of somebody who is not told what newcomers are."""

    settings = MappingProxyType({PLAYED: FAMILIAR})
