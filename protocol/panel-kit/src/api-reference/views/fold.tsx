import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import './fold.css';

/** Content that is drawn when it is opened. */
export function Fold({
  title,
  note,
  open: first = false,
  children,
}: {
  readonly title: string;
  /** How much is in it. */
  readonly note?: string;
  readonly open?: boolean;
  readonly children: () => ComponentChildren;
}): JSX.Element {
  const [open, setOpen] = useState(first);
  return (
    <details class="fold" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="fold-title">
        <span>{title}</span>
        {note !== undefined && <span class="soft">{note}</span>}
      </summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  );
}
