import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import './button.css';
import { Icon, type IconName } from './icon.js';

/** What a button is and does. */
interface ButtonProps {
  /** The words on it; its accessible name too. */
  readonly children: ComponentChildren;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small' | 'large';
  readonly icon?: IconName;
  /** Shows the icon alone; the words stay its accessible name. */
  readonly iconOnly?: boolean;
  readonly disabled?: boolean;
  readonly type?: 'button' | 'submit';
  /** An accessible name with more than the words, such as which sale is meant. It begins with the words. */
  readonly label?: string;
  readonly pressed?: boolean;
  /** Called on a click. Until a promise is done, the button takes no other. */
  readonly onClick?: () => unknown;
}

/** A button; it takes one click at a time. */
export function Button({
  children,
  kind = 'plain',
  size = 'normal',
  icon,
  iconOnly = false,
  disabled = false,
  type = 'button',
  label,
  pressed,
  onClick,
}: ButtonProps): JSX.Element {
  const [busy, setBusy] = useState(false);
  const click = async () => {
    if (busy || !onClick) return;
    setBusy(true);
    try {
      await onClick();
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type={type}
      class={`button button-${kind} button-${size}${iconOnly ? ' button-icon' : ''}`}
      disabled={disabled}
      aria-busy={busy}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick && click}
    >
      {icon && <Icon name={icon} size={size === 'small' ? 16 : 20} />}
      {iconOnly ? <span class="reader">{children}</span> : children}
    </button>
  );
}
