"""``ebb helplines``: the directory of services; needs no model file."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import asdict
from typing import Any

from assistant import content_directory, content_texts, refer
from assistant.commands.stream import print_json
from assistant.content import content_root
from assistant.content_directory import Directory, service_record
from assistant.content_texts import Guide
from assistant.domain_help import Service
from assistant.errors import UsageError
from assistant.settings import Settings

NAME = "helplines"
HELP = "the directory of services (needs no model file)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--country", metavar="CC", help="for example GB")
    parser.add_argument(
        "--need",
        choices=sorted({*refer.NEEDS, *content_directory.KINDS}),
        metavar="NEED",
        help=f"one of: {', '.join(sorted(refer.NEEDS))}",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Show the services of a country, and the ones for every country."""
    directory = content_directory.load(content_root())
    code = (args.country or settings.country or "").upper()
    if not code:
        raise UsageError("Give a country, for example: ebb helplines --country GB")
    if len(code) != 2 or not code.isalpha():
        raise UsageError("A country is two letters, for example GB.")
    record = _record(directory, code, args.need)
    if args.json:
        print_json(record)
    else:
        _show(record, directory, code)
        if args.need == "specialist":
            _show_guide(content_texts.load_specialist(content_root()))
    return 0


def _record(directory: Directory, code: str, need: str | None) -> dict[str, Any]:
    help_ = directory.country(code)
    return {
        "country": code,
        "known": bool(help_ and help_.services),
        "emergency": [asdict(e) for e in help_.emergency] if help_ else [],
        "emergency_note": help_.emergency_note if help_ else None,
        "services": [
            service_record(service)
            for service in (refer.filter_services(help_, need) if help_ else ())
        ],
        "international": [asdict(entry) for entry in directory.international],
    }


def _show(record: dict[str, Any], directory: Directory, code: str) -> None:
    help_ = directory.country(code)
    if help_ is None:
        print(f"The directory has nothing for {code} yet. These know more countries:\n")
    elif not help_.services:
        print(f"{help_.name}: {', '.join(e.number for e in help_.emergency)}")
        print(f"{help_.emergency_note}\n\nThese know services in many countries:\n")
    else:
        print(f"{help_.name}\n")
        for emergency in help_.emergency:
            print(f"  Emergency {emergency.number}: {', '.join(emergency.use)}")
        if help_.emergency_note:
            print(f"  {help_.emergency_note}")
        print()
        shown = {entry["id"] for entry in record["services"]}
        for service in help_.services:
            if service.id in shown:
                _show_service(service)
    for entry in directory.international:
        print(f"  {entry.name}: {entry.website}\n      {entry.what}")
    print(
        "\nNobody has called these numbers for Ebb. A call stays in the phone's own "
        "call list,\nand may show on a bill."
    )


def _show_guide(guide: Guide) -> None:
    print(f"\n{guide.title}")
    for heading, points in guide.parts:
        print(f"\n  {heading}")
        for point in points:
            print(
                textwrap.fill(
                    point, 76, initial_indent="  - ", subsequent_indent="    "
                )
            )


def _show_service(service: Service) -> None:
    ways = [service.phone]
    ways += [f"text {service.sms['number']}"] if service.sms else []
    ways += [f"WhatsApp {service.whatsapp['phone']}"] if service.whatsapp else []
    ways += [service.chat or service.website]
    print(f"  {service.name}: {' · '.join(way for way in ways if way)}")
    details = [service.hours, ", ".join(service.serves), service.note]
    details += [service.bill_note, f"checked {service.checked}, {service.confidence}"]
    print(f"      {' · '.join(detail for detail in details if detail)}")
    if service.caution:
        print(f"      Caution: {service.caution}")
