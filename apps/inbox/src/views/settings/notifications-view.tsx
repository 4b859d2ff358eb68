import { buttonClasses, Icon } from 'beckon/react/parts';
import { Link } from 'wouter';
import { DestinationSection } from '../../destinations/destination-section.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { texts as deviceTexts } from '../devices/texts.ts';
import { texts } from './texts.ts';

/** Where, when and how much the person is told. */
export function NotificationsView() {
  return (
    <div className="flex h-full flex-col bg-surface">
      <ViewHeader title={texts.told.title}>
        <Link to="/devices/add" className={`ml-auto ${buttonClasses()}`}>
          <Icon name="devices" />
          {deviceTexts.addPhone}
        </Link>
      </ViewHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-6 px-4 py-4">
          <DestinationSection />
          <section aria-labelledby="chats" className="space-y-2">
            <h2 id="chats" className="font-semibold">
              {texts.told.chats}
            </h2>
            <p className="text-sm text-muted">{texts.told.chatsHint}</p>
            <dl className="space-y-2 text-sm">
              {texts.told.commands.map(({ name, command, what }) => (
                <div key={name} className="flex flex-wrap gap-x-3 gap-y-0.5">
                  <dt className="w-20 shrink-0 font-medium">{name}</dt>
                  <dd className="min-w-0 flex-1 basis-56">
                    <code className="font-mono">{command}</code> <span className="text-muted">{what}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </div>
  );
}
