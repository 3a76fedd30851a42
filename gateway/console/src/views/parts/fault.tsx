import type { JSX } from 'preact';

/** Why something is not there; nothing where there is no fault. */
export function Fault({ error }: { readonly error: Error | undefined }): JSX.Element | null {
  return error ? (
    <p class="field-fault" role="alert">
      {error.message}
    </p>
  ) : null;
}
