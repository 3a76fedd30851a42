import type { JSX } from 'preact';
import { componentWords } from '../words.js';
import './technical.css';

/** A text for a technician, closed until someone wants it; nothing where there is none. */
export function Technical({ text }: { readonly text: string | undefined }): JSX.Element | null {
  if (text === undefined || text === '') return null;
  return (
    <details class="technical">
      <summary>{componentWords().details}</summary>
      <p lang="en">{text}</p>
    </details>
  );
}
