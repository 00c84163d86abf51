"""Words for what the directory and the rules name by a key; plain and unalarming."""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "domestic_violence": "Abuse by a partner or at home",
    "suicide_crisis": "Thoughts of suicide, or a crisis",
    "sexual_assault": "Sexual violence",
    "child_protection": "For children",
    "victim_support": "After a crime",
    "emotional_support": "Someone to talk to",
    "specialist_directory": "Finding a specialist",
}

NEEDS: Final = {
    "abuse": "A partner or someone at home hurts me",
    "suicide": "I think of dying, or I cannot go on",
    "sexual_violence": "Sexual violence",
    "child": "A child is in danger",
    "stalking": "Being followed or watched",
    "men": "For men",
    "lgbtq": "For LGBTQ+ people",
    "deaf": "Without speaking: text or chat",
    "legal": "Rights and practical help",
    "specialist": "Finding a specialist",
}

SERVES: Final = {
    "everyone": "everyone",
    "lgbtq": "LGBTQ+ people",
    "young_people": "young people",
    "older_people": "older people",
    "people_who_harm": "people worried about their own behaviour",
    "deaf": "Deaf people",
}

LANGUAGES: Final = {
    "am": "Amharic",
    "ar": "Arabic",
    "ay": "Aymara",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fil": "Filipino",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "lv": "Latvian",
    "ms": "Malay",
    "nan": "Southern Min",
    "ne": "Nepali",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "qu": "Quechua",
    "ro": "Romanian",
    "ru": "Russian",
    "sq": "Albanian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "yue": "Cantonese",
    "zh": "Chinese",
}

AREAS: Final = {
    "AE-AZ": "Abu Dhabi",
    "AE-DU": "Dubai",
    "AT-9": "Vienna",
    "AU-NSW": "New South Wales",
    "AU-VIC": "Victoria",
    "CA-BC": "British Columbia",
    "CA-MB": "Manitoba",
    "CA-ON": "Ontario",
    "CA-QC": "Quebec",
    "CH-ZH": "Zurich",
    "CO-DC": "Bogotá",
    "GB-ENG": "England",
    "GB-NIR": "Northern Ireland",
    "GB-SCT": "Scotland",
    "GB-WLS": "Wales",
    "MX-MEX": "State of Mexico",
    "NG-LA": "Lagos",
    "PK-PB": "Punjab",
}

EMERGENCY_USES: Final = {
    "police": "police",
    "ambulance": "ambulance",
    "fire": "fire",
    "emergency": "emergency services",
}

CONFIDENCE: Final = {
    "high": "from the service itself or an official body",
    "medium": "from a good source, not confirmed with the service",
    "low": "from one older source; it may have changed",
}

CALL_TRACE: Final = (
    "A call or text stays in the phone’s own list and may show on the bill, "
    "even when the service keeps nothing."
)
SPECIALIST_PATH: Final = (
    "Under Help stands which kind of help fits what, what you could ask in a first "
    "call, and where registers are."
)
LINK_TRACE: Final = (
    "Opening a link leaves a trace in this browser and on the network. "
    "You can copy the address and open it on another device."
)


def plain(key: str) -> str:
    """Turn a key such as ``older_people`` into words where it has none of its own."""
    return key.replace("_", " ")


def language(code: str) -> str:
    """Name a language; its code where we have no name for it."""
    return LANGUAGES.get(code, code)


def area(code: str) -> str:
    """Name a part of a country; some stand in the directory by name already."""
    return AREAS.get(code, code)


def serves(key: str) -> str:
    """Name whom a service is for."""
    return SERVES.get(key, plain(key))


def kind(key: str) -> str:
    """Name a kind of service."""
    return KINDS.get(key, plain(key).capitalize())
