import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.js';
import './code-block.css';

/** Texts, names of members, words and numbers. */
const TOKENS =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(\s*:)?|\b(true|false|null|True|False|None)\b|(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-])/g;

/** Code, with a button that copies it. */
export function CodeBlock({ label, code }: { readonly label: string; readonly code: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
  };
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="code-frame" tabIndex={0} aria-label={label}>
        <pre>
          <code>{coloured(code)}</code>
        </pre>
      </section>
      {/* Browsers give pages over plain HTTP, other than those of the same machine, no clipboard. */}
      {'clipboard' in navigator && (
        <Button kind="quiet" size="small" icon={copied ? 'check' : 'copy'} iconOnly onClick={copy}>
          {copied ? 'Copied' : `Copy: ${label}`}
        </Button>
      )}
    </div>
  );
}

function coloured(code: string): readonly (JSX.Element | string)[] {
  const parts: (JSX.Element | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    const [whole, text, colon] = match;
    const kind = text === undefined ? 'code-value' : colon === undefined ? 'code-text' : 'code-name';
    const shown = text ?? whole;
    parts.push(
      code.slice(end, match.index),
      <span key={match.index} class={kind}>
        {shown}
      </span>,
    );
    end = match.index + shown.length;
  }
  parts.push(code.slice(end));
  return parts;
}
