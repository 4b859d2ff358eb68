import { AgentCanvas, type AgentCanvasHandle, render } from 'beckon/react';
import { useEffect, useRef, useState } from 'react';
import type { ChatEvent } from './chat-event.ts';

interface Round {
  query: string;
  text: string;
  /** What was shown, once the round is past. */
  components?: unknown;
}

/** The conversation so far, and below it the agent's current components. */
export function Chat({ id }: { id: string }) {
  const canvas = useRef<AgentCanvasHandle>(null);
  const [rounds, setRounds] = useState<readonly Round[]>([]);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    const source = new EventSource(`/chats/${id}`);
    // Each connection, first or repeated, gets everything from the start.
    source.onopen = () => {
      setRounds([]);
      canvas.current?.clear();
    };
    let shown: unknown;
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as ChatEvent;
      switch (event.type) {
        case 'asked':
          canvas.current?.clear();
          setRounds((past) => [
            ...past.map((round, at) => (at === past.length - 1 ? { ...round, components: shown } : round)),
            { query: event.query, text: '' },
          ]);
          break;
        case 'said':
          setRounds((all) =>
            all.map((round, at) => (at < all.length - 1 ? round : { ...round, text: round.text + event.text })),
          );
          break;
        case 'partial':
          canvas.current?.showPartial(event.components);
          break;
        case 'shown':
          shown = event.components;
          canvas.current?.show(event.components, { callbackUrl: event.callbackUrl });
          break;
        case 'over':
          source.close();
          setOver(true);
          break;
        case 'failed':
          source.close();
          setProblem(event.why);
          break;
      }
    };
    return () => source.close();
  }, [id]);

  return (
    <>
      <h1>Sales chat</h1>
      <div role="log" aria-label="Conversation">
        {rounds.map(({ query, text, components }, index) => (
          <section key={index}>
            <p className="asked">{query}</p>
            {text !== '' && <p className="said">{text}</p>}
            {components !== undefined && render(components)}
          </section>
        ))}
      </div>
      <AgentCanvas ref={canvas} />
      {problem !== undefined && <p role="alert">The agent cannot go on. {problem}</p>}
      {isOver && <p role="status">The conversation is over.</p>}
    </>
  );
}
