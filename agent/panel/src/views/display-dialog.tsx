import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DisplayCode, Terminal } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { terminalLabel } from '../model/terminal-label.js';
import { t } from '../texts/texts.js';

/** Hosts that mean another machine on another device. */
const LOCAL = /^(localhost|127\.|\[::1\])/;

/** Has the agent make a code for a customer display of a terminal, and shows it: as a picture, as an address on this device and to be typed. */
export function DisplayDialog({
  store,
  terminal,
  onClose,
}: {
  readonly store: LiveStore;
  readonly terminal: Terminal;
  readonly onClose: () => void;
}): JSX.Element {
  const [made, setMade] = useState<DisplayCode>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    store.client.displayCode(terminal.id, location.origin).then(setMade, (error: unknown) => {
      setFault((error as Error).message);
    });
  }, [store, terminal.id]);
  const isLocal = LOCAL.test(location.hostname);
  return (
    <Dialog title={t('displayTitle', { terminal: terminalLabel(terminal) })} onClose={onClose}>
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {made && (
        <>
          {isLocal ? (
            <p>{t('displayLocal')}</p>
          ) : (
            <img class="display-code-picture" src={made.picture} alt={t('displayCode')} />
          )}
          <p class="display-code numeric">
            <span class="reader">{t('displayCode')}: </span>
            {made.code}
          </p>
          {!isLocal && (
            <p class="soft">
              {t('displayWords', {
                page: `${location.origin}/display`,
                minutes: made.expiresInSeconds / 60,
              })}
            </p>
          )}
        </>
      )}
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('back')}</Button>
        {made && (
          <a
            class="button button-primary button-normal"
            href={made.address}
            target="_blank"
            rel="noreferrer"
            onClick={onClose}
          >
            {t('displayHere')}
          </a>
        )}
      </div>
    </Dialog>
  );
}
