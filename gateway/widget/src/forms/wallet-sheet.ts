import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { framePage } from '../shared/cache-version.js';
import { element } from '../shared/dom.js';
import { Frame } from '../shared/frame.js';
import type { FromWallet, ToWallet } from '../shared/messages.js';
import type { FormContext } from './context.js';

/** What a sheet is opened with. */
interface SheetOptions {
  readonly wallet: WalletName;
  readonly url: string;
  /** The wallet, for screen readers. */
  readonly title: string;
  /** Who is paid. */
  readonly label: string;
}

/** The sheet of a wallet, over the page. */
export interface WalletSheet {
  /** The frame that holds the token. */
  readonly frame: HTMLIFrameElement;
  /** Whether the shopper has agreed. */
  readonly agreed: Promise<boolean>;
  remove(): void;
}

/** Shows the sheet of a wallet. The dialog keeps the focus, and gives it back to the button. */
export function openSheet({ address, checkout, language }: FormContext, options: SheetOptions): WalletSheet {
  const { wallet, url, title, label } = options;
  let settle: (isAgreed: boolean) => void = () => undefined;
  const agreed = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const frame: Frame<ToWallet, FromWallet> = new Frame({
    src: framePage(address.base, 'wallet'),
    name: 'wpwl-wallet',
    title,
    take: ({ type }) => {
      if (type === 'ready') frame.tell({ type: 'open', checkoutId: checkout.id, wallet, url, title, label });
      else if (type === 'authorized' || type === 'cancelled') end(type === 'authorized');
    },
  });
  const back = element(
    'button.wpwl-button.wpwl-sheet-back',
    { type: 'button', 'aria-label': language.texts.back },
    '×',
  );
  const dialog = element(
    'dialog.wpwl-sheet',
    { 'aria-label': title, lang: language.tag, dir: language.dir },
    back,
    frame.element,
  );
  const end = (isAgreed: boolean): void => {
    settle(isAgreed);
    // The frame stays until its token was requested.
    dialog.close();
  };
  back.addEventListener('click', () => end(false));
  dialog.addEventListener('close', () => settle(false));
  document.body.append(dialog);
  dialog.showModal();
  return {
    frame: frame.element,
    agreed,
    remove: () => {
      settle(false);
      frame.remove();
      dialog.remove();
    },
  };
}
