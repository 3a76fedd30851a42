import type { JSX } from 'preact';
import './method.css';

/** The method of an operation; its colour states what it does to data. */
export function Method({ name }: { readonly name: string }): JSX.Element {
  return <span class={`method method-${name.toLowerCase()}`}>{name}</span>;
}
