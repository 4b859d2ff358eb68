import { Button, buttonClasses, Icon, keyboard, useKeysOn, useStore } from 'beckon/react/parts';
import { useState } from 'react';
import { Link } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { showNotification } from '../../notify/notification.ts';
import { readPermission } from '../../notify/permission.ts';
import { preferences, setPreferences } from '../../notify/preferences.ts';
import { playTone } from '../../notify/sound.ts';
import { ThisDevice } from '../../notify/this-device.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Switch } from '../../ui/switch.tsx';
import { LogOutButton } from '../devices/log-out-button.tsx';
import { texts as deviceTexts } from '../devices/texts.ts';
import { texts as machineTexts } from '../machines/texts.ts';
import { texts } from './texts.ts';
import { applyTheme, readTheme, THEMES, type Theme } from './theme.ts';

const THEME_NAMES: Record<Theme, string> = {
  system: texts.system,
  light: texts.light,
  dark: texts.dark,
};

/** The theme and the notifications of this browser. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { me } = useApp();
  const [theme, setTheme] = useState(readTheme);
  const isKeysOn = useKeysOn();
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      footer={
        <>
          <Link to="/settings/notifications" onClick={onClose} className={buttonClasses()}>
            <Icon name="chat" />
            {texts.told.title}
          </Link>
          <Link to="/devices/add" onClick={onClose} className={buttonClasses()}>
            <Icon name="devices" />
            {deviceTexts.addPhone}
          </Link>
          <Link to="/devices" onClick={onClose} className={buttonClasses()}>
            <Icon name="devices" />
            {deviceTexts.title}
          </Link>
          <Link to="/machines" onClick={onClose} className={buttonClasses()}>
            <Icon name="sessions" />
            {machineTexts.title}
          </Link>
          <LogOutButton />
        </>
      }
    >
      <div className="space-y-5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium">{texts.theme}</span>
          <SegmentedControl
            label={texts.theme}
            value={theme}
            options={THEMES.map((value) => ({ value, name: THEME_NAMES[value] }))}
            onChange={(next) => {
              applyTheme(next);
              setTheme(next);
            }}
          />
        </div>
        <Switch label={texts.keys} hint={texts.keysHint} isOn={isKeysOn} onChange={(isOn) => keyboard.turn(isOn)} />
        <NotificationSettings />
        <ThisDevice />
        <p className="text-xs text-muted">{deviceTexts.loggedInAs(me.who)}</p>
      </div>
    </Dialog>
  );
}

function NotificationSettings() {
  const chosen = useStore(preferences);
  const [permission, setPermission] = useState(readPermission);
  const isOn = chosen.hasNotifications && permission === 'granted';
  const turnNotifications = async (on: boolean): Promise<void> => {
    // The browser asks for permission only here, after the person has turned notifications on.
    const answer = on && permission !== 'missing' ? await Notification.requestPermission() : permission;
    setPermission(answer);
    setPreferences({ ...chosen, hasNotifications: on && answer === 'granted' });
  };
  const turnSound = (on: boolean): void => {
    setPreferences({ ...chosen, hasSound: on });
    if (on) playTone().catch(() => undefined); // A preview.
  };
  return (
    <>
      <Switch
        label={texts.notifications}
        hint={
          permission === 'denied'
            ? texts.notificationsDenied
            : permission === 'missing'
              ? texts.notificationsMissing
              : texts.notificationsHint
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
              { title: texts.tryTitle, body: texts.tryBody, tag: 'beckon-try', path: '/' },
              () => undefined,
            )
          }
        >
          {texts.tryNotification}
        </Button>
      )}
      <Switch label={texts.sound} hint={texts.soundHint} isOn={chosen.hasSound} onChange={turnSound} />
    </>
  );
}
