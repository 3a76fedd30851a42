import { element } from '../shared/dom.js';
import type { FormContext } from './context.js';

/** What a sheet over the page holds. */
interface SheetOptions {
  readonly title: string;
  readonly frame: HTMLIFrameElement;
  /** The title stands above the frame; without, it is for screen readers alone. */
  readonly hasHeading: boolean;
  /** The shopper leaves the sheet. */
  readonly left: () => void;
}

/** A sheet over the page: all else is inert, the focus stays in it, and goes back to where it was. */
export function openSheet(
  { language: { tag: lang, dir, texts }, nextNumber }: FormContext,
  { title, frame, hasHeading, left }: SheetOptions,
): HTMLDialogElement {
  const id = `wpwl-sheet-${nextNumber()}`;
  const back = element(
    'button.wpwl-button.wpwl-sheet-back',
    { type: 'button', 'aria-label': texts.back },
    '×',
  );
  const dialog = element(
    'dialog.wpwl-sheet',
    { lang, dir, ...(hasHeading ? { 'aria-labelledby': id } : { 'aria-label': title }) },
    hasHeading ? element('h2.wpwl-sheet-title', { id, tabindex: '-1', autofocus: '' }, title) : undefined,
    back,
    frame,
  );
  back.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', left);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
