import type { ComponentChildren, JSX } from 'preact';
import { Fragment } from 'preact';
import './list.css';

/** Rows of something. */
export function List({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <ul class="list" aria-label={label}>
      {children}
    </ul>
  );
}

/** A row: what it is, more of it below, and what can be done at its end. */
export function ListItem({
  start,
  main,
  second,
  end,
}: {
  readonly start?: ComponentChildren;
  readonly main: ComponentChildren;
  readonly second?: ComponentChildren;
  readonly end?: ComponentChildren;
}): JSX.Element {
  return (
    <li>
      {start}
      <div class="list-main">
        <div>{main}</div>
        {second !== undefined && <div class="list-second">{second}</div>}
      </div>
      {end}
    </li>
  );
}

/** Names and what they are. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd class="numeric">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
