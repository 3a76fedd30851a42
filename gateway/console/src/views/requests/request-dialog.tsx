import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Facts, List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import type { JSX } from 'preact';
import type { SentRequest } from '../../api/request-answers.js';
import { curlOf } from '../../model/curl.js';
import { hashOf } from '../../model/places.js';
import { preciseText, t } from '../../texts/texts.js';
import { CopyButton } from '../parts/copy-button.js';

/** A request in full: what was wrong with it, by parameter, and what was sent. */
export function RequestDialog({
  request,
  entityId,
  onClose,
}: {
  readonly request: SentRequest;
  readonly entityId: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { method, path, at, status, durationMs, resultCode, description, ndc, token } = request;
  const { paymentId, parameters, leftOut, errors } = request;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [t('at'), preciseText(at)],
    ['HTTP', String(status)],
    [t('result'), [description, resultCode].filter((part) => part !== undefined).join(' · ')],
    [t('duration'), `${durationMs} ms`],
    [t('accessToken'), token?.name ?? token?.id],
    ['ndc', ndc],
  ];
  const address = path.replace('{id}', paymentId ?? '{id}');
  const form = Object.fromEntries(parameters.map(({ name, value }) => [name, value ?? '']));
  return (
    <Dialog title={`${method} ${path}`} wide onClose={onClose}>
      <Facts
        rows={rows.flatMap(([name, value]) =>
          value === undefined || value === '' ? [] : [[name, value] as const],
        )}
      />
      {paymentId !== undefined && (
        <p>
          <a href={hashOf({ place: 'payment', entityId, query: { id: paymentId } })}>{t('openPayment')}</a>
        </p>
      )}
      {errors.length > 0 && (
        <List label={t('wrongParameters')}>
          {errors.map(({ name, value, message }, place) => (
            <ListItem
              key={`${name} ${place}`}
              main={<code>{value === null ? name : `${name}=${value}`}</code>}
              second={
                <span class="field-fault" lang="en">
                  {message}
                </span>
              }
            />
          ))}
        </List>
      )}
      {parameters.length > 0 && (
        <>
          <h3>{t('sentParameters')}</h3>
          <Facts rows={parameters.map(({ name, value }) => [name, value ?? '–'] as const)} />
        </>
      )}
      {leftOut > 0 && <p class="soft">{t('leftOut', { count: leftOut })}</p>}
      {(method === 'GET' || method === 'POST') && (
        <CopyButton text={() => curlOf(location.origin, method, address, form)}>{t('copyCurl')}</CopyButton>
      )}
    </Dialog>
  );
}
