<?php
/** Nothing of the plugin stays behind. */

if ( ! defined( 'WP_UNINSTALL_PLUGIN' ) ) {
	exit;
}
delete_option( 'guichet' );
