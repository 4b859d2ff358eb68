import { Notice } from 'beckon/react/parts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type PhoneAdvice, toPort, type Way } from './phone-address.ts';
import { texts } from './texts.ts';

/** Says what a phone cannot do at the address of a link, why, and what would help. */
export function AdviceNotice({
  link,
  advice: { reach, isSecure, ways },
  isAdmin,
}: {
  link: string;
  advice: PhoneAdvice;
  isAdmin: boolean;
}) {
  if (ways.length === 0) return null;
  const { host } = new URL(link);
  const isUnreachable = reach === 'nowhere';
  return (
    <>
      <Notice
        tone="warning"
        icon="warning"
        title={isUnreachable ? texts.phone.unreachable(host) : texts.phone.insecure}
      >
        <p>{isUnreachable ? texts.phone.unreachableHint : texts.phone.insecureHint}</p>
      </Notice>
      {!isUnreachable && !isSecure ? (
        <details>
          <summary className="font-medium">{texts.phone.secureWays}</summary>
          <Ways link={link} ways={ways} isAdmin={isAdmin} />
        </details>
      ) : (
        <Ways link={link} ways={ways} isAdmin={isAdmin} />
      )}
    </>
  );
}

function Ways({ link, ways, isAdmin }: { link: string; ways: readonly Way[]; isAdmin: boolean }) {
  const port = toPort(link);
  return (
    <div className="space-y-3 pt-2">
      <p>{isAdmin ? texts.phone.restart : texts.phone.askAdmin}</p>
      <ol className="list-decimal space-y-3 pl-5">
        {ways.map((way) => (
          <li key={way}>
            <p className="font-medium">{texts.phone.ways[way].name}</p>
            <p className="text-xs text-muted">{texts.phone.ways[way].hint}</p>
            <pre className="my-1 rounded-md border border-line bg-surface px-2 py-1.5 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
              {texts.phone.ways[way].commands(port)}
            </pre>
            <CopyButton
              text={texts.phone.ways[way].commands(port)}
              label={texts.phone.copy(texts.phone.ways[way].name)}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}
