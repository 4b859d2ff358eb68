import type { Beckon } from 'beckon/client';
import type { Interaction } from 'beckon/protocol';
import { RequestCard, useAnswer, useRequest, useRequests } from 'beckon/react';
import { useState } from 'react';

/** A chat with a card for every request, which stays in its place after it was answered. */
export function Conversation({ beckon, chatId, who }: { beckon: Beckon; chatId: string; who: string }) {
  const { requests = [] } = useRequests(beckon, { chatId });
  const [shown, setShown] = useState<readonly Interaction[]>([]);
  const fresh = requests.filter(({ id }) => !shown.some((one) => one.id === id));
  if (fresh.length > 0) setShown([...shown, ...fresh]);
  return (
    <ol className="chat">
      {shown.map((request) => (
        <li key={request.id}>
          <p>The agent needs you:</p>
          <Entry beckon={beckon} known={request} who={who} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ beckon, known, who }: { beckon: Beckon; known: Interaction; who: string }) {
  const { request } = useRequest(beckon, known.id);
  const answer = useAnswer(beckon, { who });
  return <RequestCard interaction={request ?? known} onAnswer={(given) => answer(known.id, given)} who={who} />;
}
