"""Nothing leaves: refuse every connection that is not to this computer itself.

Python raises an audit event before any socket call, whichever library makes it, so one
hook covers all Python code in the process. Code in C that opens sockets by itself is
not seen here: the libraries that could do so are switched off where they are wired,
and tests try every way out that the libraries know.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys

from assistant.errors import NetworkError

_SWITCHES = {
    "ANONYMIZED_TELEMETRY": "False",
    "CHROMA_TELEMETRY_IMPL": "chromadb.telemetry.product.NoopProductTelemetry",
    "DO_NOT_TRACK": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_SHARE": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    # Without it, onnxruntime gives this computer a number and reports from C++.
    "ORT_DISABLE_TELEMETRY": "1",
    "OTEL_SDK_DISABLED": "true",
    "TRANSFORMERS_OFFLINE": "1",
}
_LOCAL_NAMES = frozenset({"", "localhost", "ip6-localhost", "localhost.localdomain"})
_WATCHED = frozenset(
    {
        "socket.connect",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
        "socket.bind",
    }
)
_NAMES_FIRST = frozenset(
    {
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
    }
)
_hook_is_set = False


def forbid_outside() -> None:
    """Refuse, from now on, whatever is not loopback; cannot be taken back.

    Also sets the switches by which libraries are told to stay quiet, so call it before
    they are imported.
    """
    global _hook_is_set  # an audit hook cannot be removed, so it is set only once
    for name, value in _SWITCHES.items():
        os.environ[name] = value
    if not _hook_is_set:
        _hook_is_set = True
        sys.addaudithook(_refuse)


def is_local(host: object) -> bool:
    """Tell whether a host, as given to a socket call, is this computer itself."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name.lower() in _LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def _refuse(event: str, args: tuple[object, ...]) -> None:
    if event not in _WATCHED:
        return
    if event in _NAMES_FIRST:
        host = args[0][0] if isinstance(args[0], tuple) else args[0]
    else:
        sock, address = args[0], args[1]
        if getattr(sock, "family", None) not in {socket.AF_INET, socket.AF_INET6}:
            return
        # sendto and sendmsg on a connected socket carry no address: connect was seen.
        host = address[0] if isinstance(address, tuple) and address else None
        if event == "socket.bind" and host in {"", "0.0.0.0", "::"}:
            # Binding to every interface would let other machines in.
            host = "every interface"
    if not is_local(host):
        raise NetworkError("A connection beyond this computer was refused.")
