import { timeText } from '@tillbridge/panel-kit/format.js';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { attempt } from '../model/actions.js';
import './log.css';

/** A row of a log, and what opens below it. */
interface LogRowProps<Detail> {
  readonly at: string;
  /** In front: a direction, a status. */
  readonly mark: ComponentChildren;
  readonly title: string;
  readonly hex: string;
  /** For screen readers, with the title. */
  readonly about: string;
  readonly dim?: boolean;
  readonly bad?: boolean;
  readonly read: () => Promise<Detail>;
  /** The detail is another one when this is. */
  readonly version: string;
  readonly detail: (detail: Detail) => ComponentChildren;
}

/** A row that opens: its detail is read from the simulator. */
export function LogRow<Detail>(props: LogRowProps<Detail>): JSX.Element {
  const { at, mark, title, hex, about, dim = false, bad = false, read, version, detail } = props;
  const [open, setOpen] = useState(false);
  const [shown, setShown] = useState<Detail>();
  useEffect(() => {
    if (!open) return;
    void attempt(async () => setShown(await read()));
  }, [open, version]);
  return (
    <li class={`log-row${dim ? ' log-dim' : ''}${bad ? ' log-bad' : ''}`}>
      <button type="button" class="log-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="log-at numeric">{timeText(at)}</span>
        <span class="log-mark">{mark}</span>
        <span class="log-title">
          <span class="reader">{about}: </span>
          {title}
        </span>
        <code class="log-hex">{hex}</code>
      </button>
      {open && <div class="log-detail">{shown === undefined ? 'Reading…' : detail(shown)}</div>}
    </li>
  );
}

/** Rows of a log, the newest at the end; it stays at the end unless the user has scrolled up. */
export function Log({
  label,
  rows,
  children,
}: {
  readonly label: string;
  /** Changes with the rows. */
  readonly rows: unknown;
  readonly children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const list = element.current;
    if (list && atEnd.current) list.scrollTop = list.scrollHeight;
  }, [rows]);
  const note = () => {
    const list = element.current;
    if (list) atEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="log-frame" aria-label={label} tabIndex={0}>
      <ol class="log" ref={element} onScroll={note}>
        {children}
      </ol>
    </section>
  );
}
