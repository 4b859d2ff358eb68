import type { TimelineProps } from '../../components/timeline.ts';

export function TimelineView({ title, events }: TimelineProps) {
  return (
    <section className="beckon-timeline">
      {title !== undefined && <h2 className="beckon-title">{title}</h2>}
      <ol>
        {events.map((event, index) => (
          <li key={index}>
            <span className="beckon-note">{event.date}</span>
            <strong>{event.title}</strong>
            {event.description !== undefined && <p>{event.description}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
