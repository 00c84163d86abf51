"""What the person sees: a plain first page at once, then the talk in Gradio.

``server`` starts it, ``house`` joins the rooms, ``door`` decides what may come in, and
``lock`` who: the browser that has the ``key`` of this start.
Everything here shows events and decides nothing. Only ``talk`` imports Gradio.
"""
