import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { detailOf } from '../refused-error.js';
import { componentWords } from '../words.js';
import { Button } from './button.js';
import './dialog.css';
import { Technical } from './technical.js';

/** What a dialog shows. */
interface DialogProps {
  /** Its heading and accessible name. */
  readonly title: string;
  readonly wide?: boolean;
  /** Called when it is to be closed: by its button, the Escape key or the page. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog; it is open while it is drawn. */
export function Dialog({ title, wide = false, onClose, children }: DialogProps): JSX.Element {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog${wide ? ' dialog-wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 class="dialog-title" id={id}>
            {title}
          </h2>
          <Button kind="quiet" icon="close" iconOnly onClick={onClose}>
            {componentWords().close}
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** A question before an action. */
interface ConfirmProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  /** The words of the button that does it. */
  readonly action: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Does it; the dialog closes when that is done, and shows the message of what is thrown. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks the person before it does something that cannot be undone. */
export function Confirm({
  title,
  children,
  action,
  danger = false,
  disabled = false,
  onConfirm,
  onClose,
}: ConfirmProps): JSX.Element {
  const [fault, setFault] = useState<{ readonly text: string; readonly detail: string | undefined }>();
  const confirm = async () => {
    setFault(undefined);
    try {
      await onConfirm();
    } catch (error) {
      setFault({ text: error instanceof Error ? error.message : String(error), detail: detailOf(error) });
      return;
    }
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {fault !== undefined && (
        <div role="alert">
          <p class="field-fault">{fault.text}</p>
          <Technical text={fault.detail} />
        </div>
      )}
      <div class="dialog-actions">
        <Button onClick={onClose}>{componentWords().back}</Button>
        <Button kind={danger ? 'danger' : 'primary'} disabled={disabled} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
