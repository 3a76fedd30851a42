import type { JSX } from 'preact';

/** A text of the document: what stands in backticks is code. */
export function Words({ children }: { readonly children: string }): JSX.Element {
  const parts = children.split(/`([^`]+)`/);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
