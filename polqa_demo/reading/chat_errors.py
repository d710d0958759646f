"""What is told when a chat server cannot be asked. No key, no path and no word of the server stands in a message."""

from polqa_demo.errors import UserError


def not_set(name: str) -> UserError:
    """A setting without which there is nothing to ask."""
    return UserError(
        "chat-not-set",
        f"Czytnik chat wymaga zmiennej {name}. Ustaw POLQA_CHAT_URL (adres serwera zgodnego z OpenAI, np. "
        "http://localhost:8000/v1), POLQA_CHAT_MODEL (nazwa modelu) i, jeśli serwer tego wymaga, POLQA_CHAT_KEY.",
        f"The chat reader needs the variable {name}. Set POLQA_CHAT_URL (the address of an OpenAI-compatible server, "
        "such as http://localhost:8000/v1), POLQA_CHAT_MODEL (the model's name) and, where the server wants one, "
        "POLQA_CHAT_KEY.",
    )


def bad_address() -> UserError:
    """An address that leads nowhere; it is not quoted, since it may hold a password."""
    return UserError(
        "chat-address",
        "POLQA_CHAT_URL nie jest adresem serwera. Podaj adres http lub https bez hasła i bez parametrów, np. "
        "http://localhost:8000/v1; klucz podaj w POLQA_CHAT_KEY.",
        "POLQA_CHAT_URL is no server's address. Give an http or https address without a password and parameters, such "
        "as http://localhost:8000/v1; the key belongs into POLQA_CHAT_KEY.",
    )


def bad_key() -> UserError:
    """A key that no header can carry."""
    return UserError(
        "chat-key",
        "POLQA_CHAT_KEY zawiera spacje, nowe wiersze lub znaki spoza ASCII. Skopiuj klucz ponownie.",
        "POLQA_CHAT_KEY holds blanks, line breaks or signs beyond ASCII. Copy the key again.",
    )


def unreachable(host: str, what: str) -> UserError:
    """No connection, or a broken one."""
    return UserError(
        "chat-unreachable",
        f"Nie można połączyć się z serwerem {host} ({what}). Sprawdź, czy działa i czy POLQA_CHAT_URL jest właściwy.",
        f"The server {host} cannot be reached ({what}). See whether it runs and whether POLQA_CHAT_URL is right.",
    )


def too_slow(host: str, seconds: float) -> UserError:
    """No whole reply within the time allowed."""
    return UserError(
        "chat-timeout",
        f"Serwer {host} nie odpowiedział w ciągu {seconds:g} s. Spróbuj później albo podnieś POLQA_CHAT_TIMEOUT.",
        f"The server {host} did not answer within {seconds:g} s. Try again later, or raise POLQA_CHAT_TIMEOUT.",
    )


def busy(host: str, status: int) -> UserError:
    """A status that may pass, at every try."""
    return UserError(
        "chat-busy",
        f"Serwer {host} nie odpowiada na pytania (kod {status}, także po ponowieniach). Spróbuj później.",
        f"The server {host} answers no questions (status {status}, retries included). Try again later.",
    )


def asked_to_wait(host: str, seconds: float) -> UserError:
    """Retry-After beyond what the settings allow to wait."""
    return UserError(
        "chat-wait",
        f"Serwer {host} prosi, by odczekać {seconds:.0f} s, dłużej niż pozwala POLQA_CHAT_MAX_WAIT. Spróbuj później.",
        f"The server {host} asks to wait {seconds:.0f} s, longer than POLQA_CHAT_MAX_WAIT allows. Try again later.",
    )


def no_quota(host: str) -> UserError:
    """The operator's account is used up."""
    return UserError(
        "chat-quota",
        f"Konto na serwerze {host} nie ma już środków. Doładuj je albo użyj innego czytnika.",
        f"The account at the server {host} is used up. Top it up, or use another reader.",
    )


def too_long(host: str) -> UserError:
    """More than the model reads."""
    return UserError(
        "chat-too-long",
        f"Pytanie z fragmentami jest za długie dla modelu na serwerze {host}. Zmniejsz POLQA_CHAT_PROMPT_CHARS albo "
        "liczbę fragmentów (--top-k).",
        f"Question and passages are too long for the model at the server {host}. Lower POLQA_CHAT_PROMPT_CHARS or the "
        "number of passages (--top-k).",
    )


def too_big(host: str, limit: int) -> UserError:
    """A reply that no answer needs."""
    return UserError(
        "chat-too-big",
        f"Serwer {host} przysłał ponad {limit // 1_000_000} MB; to nie jest odpowiedź. Sprawdź POLQA_CHAT_URL.",
        f"The server {host} sent more than {limit // 1_000_000} MB; that is no answer. Check POLQA_CHAT_URL.",
    )


def not_compatible(host: str, what: str) -> UserError:
    """A reply of another form."""
    return UserError(
        "chat-not-compatible",
        f"Odpowiedź serwera {host} nie jest zgodna z API OpenAI ({what}). Sprawdź, czy POLQA_CHAT_URL kończy się tak, "
        "jak podaje serwer (zwykle /v1).",
        f"The reply of the server {host} is not of OpenAI's form ({what}). See whether POLQA_CHAT_URL ends as the "
        "server says (mostly /v1).",
    )


def cut(tokens: int) -> UserError:
    """All tokens went before an answer began: a model that thinks first."""
    return UserError(
        "chat-cut",
        f"Model zużył wszystkie tokeny ({tokens}), zanim odpowiedział. Podnieś POLQA_CHAT_ANSWER_TOKENS albo wyłącz "
        "w modelu rozumowanie przed odpowiedzią.",
        f"The model used all of its tokens ({tokens}) before it answered. Raise POLQA_CHAT_ANSWER_TOKENS, or switch "
        "off its reasoning.",
    )


_MEANINGS = {
    401: ("klucz nie został przyjęty; sprawdź POLQA_CHAT_KEY", "the key was not accepted; check POLQA_CHAT_KEY"),
    403: ("klucz nie daje dostępu; sprawdź POLQA_CHAT_KEY", "the key gives no access; check POLQA_CHAT_KEY"),
    404: (
        "nie ma takiego adresu lub modelu; sprawdź POLQA_CHAT_URL i POLQA_CHAT_MODEL",
        "there is no such address or model; check POLQA_CHAT_URL and POLQA_CHAT_MODEL",
    ),
    413: ("pytanie jest za długie; zmniejsz POLQA_CHAT_PROMPT_CHARS", "too long; lower POLQA_CHAT_PROMPT_CHARS"),
}
_REDIRECTED = (
    "przekierowanie, a czytnik za nimi nie podąża; podaj w POLQA_CHAT_URL adres docelowy",
    "a redirect, which the reader does not follow; set POLQA_CHAT_URL to where it leads",
)
_OTHER = (
    "sprawdź nazwę modelu (POLQA_CHAT_MODEL) i długość (POLQA_CHAT_PROMPT_CHARS)",
    "check the model's name (POLQA_CHAT_MODEL) and the length (POLQA_CHAT_PROMPT_CHARS)",
)


def refused(host: str, status: int, model: str) -> UserError:
    """A status that stays."""
    pl, en = _MEANINGS.get(status, _REDIRECTED if 300 <= status < 400 else _OTHER)
    return UserError(
        "chat-refused",
        f"Serwer {host} odmówił (model {model[:80]}, kod {status}): {pl}.",
        f"The server {host} refused (model {model[:80]}, status {status}): {en}.",
    )
