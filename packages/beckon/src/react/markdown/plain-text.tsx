/** A text as it was written. */
export function PlainText({ text }: { text: string }) {
  return <div className="beckon-text beckon-text-plain">{text}</div>;
}
