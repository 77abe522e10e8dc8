import {
  ActionIcon,
  Button,
  Checkbox,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  Popover,
  SegmentedControl,
  TextInput,
  Tooltip,
} from '@mantine/core'

/** A placeholder palette: Mantine needs the color name, but theme/tokens.css defines the colors. */
function palette(color: string): MantineColorsTuple {
  return [color, color, color, color, color, color, color, color, color, color]
}

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: palette('#1b6372'), danger: palette('#a92a22') },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    TextInput: TextInput.extend({ defaultProps: { size: 'xs' } }),
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 28 } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    Menu: Menu.extend({
      defaultProps: { shadow: 'md', withinPortal: true, transitionProps: { duration: 90 } },
    }),
    // Scroll locking injects styles at run time, which the server's Content-Security-Policy forbids.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: false,
        transitionProps: { duration: 90 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    Popover: Popover.extend({ defaultProps: { shadow: 'md', transitionProps: { duration: 90 } } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 350, withArrow: false, transitionProps: { duration: 80 } },
    }),
  },
})
