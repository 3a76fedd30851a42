import type { JSX } from 'preact';
import { Fragment } from 'preact';

/** A path that is broken at its slashes where a line is too short for it. */
export function Path({ children }: { readonly children: string }): JSX.Element {
  return (
    <>
      {children.split(/(?<=.)(?=\/)/).map((part, at) => (
        <Fragment key={at}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}
