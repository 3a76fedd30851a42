import type { ComponentChildren, JSX } from 'preact';
import { useChosen } from '../../state.js';
import { toggle, view } from '../model/store.js';

/** A part of the page that is drawn when it is opened. */
export function Section({
  id,
  title,
  note,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly children: () => ComponentChildren;
}): JSX.Element {
  const open = useChosen(view, (shown) => shown.open.has(id));
  return (
    <section class={`operation${open ? ' operation-open' : ''} section`} id={id}>
      <div class="operation-head">
        <h2>
          <button
            type="button"
            class="operation-button section-button"
            aria-expanded={open}
            onClick={() => toggle(id)}
          >
            <span class="section-title">{title}</span>
            <span class="soft">{note}</span>
          </button>
        </h2>
        <a class="operation-link" href={`#${id}`} aria-label={`Link to ${title}`}>
          #
        </a>
      </div>
      {open && <div class="section-body">{children()}</div>}
    </section>
  );
}
