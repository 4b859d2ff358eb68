import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** How long after the last keystroke the text is reported. */
const TYPING_MS = 250;

/** A search field that reports its text after a short pause, so not every letter starts a search. */
export function TypedInput({
  label,
  placeholder,
  value,
  onChange,
  className,
  inputRef,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  className: string;
  inputRef?: RefObject<HTMLInputElement | null>;
}) {
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  // Something else changed the value, such as the back button.
  if (value !== told) {
    setTold(value);
    setTyped(value);
  }
  const tell = useEffectEvent((text: string) => {
    setTold(text);
    onChange(text);
  });
  useEffect(() => {
    if (typed === told) return;
    const timer = setTimeout(() => tell(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, told]);
  return (
    <input
      ref={inputRef}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
      className={className}
    />
  );
}
