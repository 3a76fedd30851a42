import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import './card.css';

/** What a part of a page holds. */
interface CardProps {
  /** Its heading; the accessible name of the region. */
  readonly title: string;
  /** Content next to the heading: a state, buttons. */
  readonly tools?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page: a region with a heading. */
export function Card({ title, tools, class: more = '', children }: CardProps): JSX.Element {
  const id = useId();
  return (
    <section class={`card ${more}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 class="card-title" id={id}>
          {title}
        </h2>
        {tools !== undefined && <div class="card-tools">{tools}</div>}
      </div>
      {children}
    </section>
  );
}

/** What stands where a list would be, when it has nothing. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}
