import { useState } from 'react';
import { Link } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { useStore } from '../../live/store.ts';
import { readPermission, showNotification } from '../../notify/notification.ts';
import { preferences, setPreferences } from '../../notify/preferences.ts';
import { playTone } from '../../notify/sound.ts';
import { texts } from '../../texts.ts';
import { applyTheme, readTheme, THEMES, type Theme } from '../../theme.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LogOutButton } from '../../ui/log-out-button.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Switch } from '../../ui/switch.tsx';

const THEME_NAMES: Record<Theme, string> = {
  system: texts.settings.system,
  light: texts.settings.light,
  dark: texts.settings.dark,
};

/** What this browser looks like, and how it tells of what arrives. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { me } = useApp();
  const [theme, setTheme] = useState(readTheme);
  return (
    <Dialog
      title={texts.settings.title}
      onClose={onClose}
      footer={
        <>
          <Link to="/devices" onClick={onClose} className={buttonClasses()}>
            <Icon name="devices" />
            {texts.navigation.devices}
          </Link>
          <LogOutButton />
        </>
      }
    >
      <div className="space-y-5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium">{texts.settings.theme}</span>
          <SegmentedControl
            label={texts.settings.theme}
            value={theme}
            options={THEMES.map((value) => ({ value, name: THEME_NAMES[value] }))}
            onChange={(next) => {
              applyTheme(next);
              setTheme(next);
            }}
          />
        </div>
        <NotificationSettings />
        <p className="text-xs text-muted">{texts.devices.loggedInAs(me.who)}</p>
      </div>
    </Dialog>
  );
}

function NotificationSettings() {
  const chosen = useStore(preferences);
  const [permission, setPermission] = useState(readPermission);
  const isOn = chosen.hasNotifications && permission === 'granted';
  const turnNotifications = async (on: boolean): Promise<void> => {
    // The browser asks the person only here, because they have just said that they want it.
    const answer = on && permission !== 'missing' ? await Notification.requestPermission() : permission;
    setPermission(answer);
    setPreferences({ ...chosen, hasNotifications: on && answer === 'granted' });
  };
  const turnSound = (on: boolean): void => {
    setPreferences({ ...chosen, hasSound: on });
    if (on) playTone().catch(() => undefined); // So that they know what to listen for.
  };
  return (
    <>
      <Switch
        label={texts.settings.notifications}
        hint={
          permission === 'denied'
            ? texts.settings.notificationsDenied
            : permission === 'missing'
              ? texts.settings.notificationsMissing
              : texts.settings.notificationsHint
        }
        isOn={isOn}
        isDisabled={permission === 'missing'}
        onChange={(on) => void turnNotifications(on)}
      />
      {isOn && (
        <Button
          size="small"
          onClick={() =>
            void showNotification(
              { title: texts.settings.tryTitle, body: texts.settings.tryBody, tag: 'beckon-try', path: '/' },
              () => undefined,
            )
          }
        >
          {texts.settings.tryNotification}
        </Button>
      )}
      <Switch
        label={texts.settings.sound}
        hint={texts.settings.soundHint}
        isOn={chosen.hasSound}
        onChange={turnSound}
      />
    </>
  );
}
