"""What the person sees: a plain first page at once, then the talk in Gradio.

``server`` starts it, ``house`` joins the rooms, ``door`` decides who may come in;
``key`` is what a browser must have for that.
Everything here shows events and decides nothing. Only ``talk`` imports Gradio.
"""
