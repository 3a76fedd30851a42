import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { framePage } from '../shared/cache-version.js';
import { Frame } from '../shared/frame.js';
import type { FromWallet, ToWallet } from '../shared/messages.js';
import type { FormContext } from './context.js';
import { openSheet } from './sheet.js';

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

/** Shows the sheet of a wallet. */
export function openWalletSheet(context: FormContext, options: SheetOptions): WalletSheet {
  const { wallet, url, title, label } = options;
  const { address, checkout } = context;
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
      else if (type === 'authorized' || type === 'cancelled') {
        settle(type === 'authorized');
        // The frame stays until its token was requested.
        dialog.close();
      }
    },
  });
  const dialog = openSheet(context, {
    title,
    frame: frame.element,
    hasHeading: false,
    left: () => settle(false),
  });
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
