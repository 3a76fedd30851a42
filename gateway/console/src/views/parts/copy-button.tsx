import { Button } from '@tillbridge/panel-kit/components/button.js';
import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import type { JSX } from 'preact';
import { t } from '../../texts/texts.js';

/** Copies a text. A browser gives a clipboard to pages of secure origins alone: elsewhere the text is shown, to be marked. */
export function CopyButton({
  text,
  children,
}: {
  readonly text: () => string;
  readonly children: string;
}): JSX.Element {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      showToast(t('copied'), 'good');
    } catch {
      showToast(text());
    }
  };
  return (
    <Button size="small" kind="quiet" icon="copy" onClick={copy}>
      {children}
    </Button>
  );
}
