<?php
/** A form of the project, in a frame that holds the form’s own page: it works without JavaScript, too. */

namespace Guichet;

add_shortcode( 'guichet_form', __NAMESPACE__ . '\form_shown' );

/** Until the script has asked the frame for its height, and without a script, where it scrolls. */
const FRAME_HEIGHT = 640;

/**
 * @param array|string $given `id`, the public one, and `title`, of a shortcode or a block.
 */
function form_shown( $given ): string {
	$given = shortcode_atts(
		array(
			'id'    => '',
			'title' => '',
		),
		$given
	);
	if ( settings()['address'] === '' || ! preg_match( '/^[a-z0-9]{8,64}$/', $given['id'] ) ) {
		return current_user_can( 'edit_posts' )
			? '<p>' . esc_html__( 'No form is shown here: give the identifier that stands at the end of the address of its page.', 'guichet' ) . '</p>'
			: '';
	}
	$address = settings()['address'];
	wp_enqueue_script( 'guichet-form', $address . '/form.js', array(), null, true );
	return sprintf(
		'<iframe class="guichet-form" src="%s" title="%s" width="100%%" height="%d" style="border:0" loading="lazy"></iframe>',
		esc_url( $address . '/f/' . $given['id'] ),
		esc_attr( $given['title'] === '' ? __( 'Form', 'guichet' ) : $given['title'] ),
		FRAME_HEIGHT
	);
}
